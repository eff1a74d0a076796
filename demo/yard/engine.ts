import type {
  Collider,
  KinematicCharacterController,
  World as Physics,
  RigidBody,
} from "@dimforge/rapier2d-deterministic";
import type { Entity, EntityRef, SystemContext } from "tickroom/sim";
import { BLOCKS, LIFT } from "./level.ts";
import { liftAt } from "./lifts.ts";
import { RAPIER } from "./rapier.ts";
import type { Yard } from "./shape.ts";
import { BALL_RADIUS, CRATE_HALF, GRAVITY, WALKER } from "./tuning.ts";

type Context = SystemContext<Yard>;
type Walker = Entity<Yard, "walker">;
type Loose = Entity<Yard, "ball"> | Entity<Yard, "crate">;

const NOBODY = 0 as EntityRef;
/** Distance that the controller keeps from what it touches: without it, it sticks. */
const SKIN = 0.02;
/** From a walker's middle to just below its feet. */
const REACH = WALKER.halfHeight + WALKER.radius + 0.15;
const WALKER_MASS = 30;
/** Groups of colliders: what one is in (upper 16 bits), and what it meets. Walkers pass each other. */
const WALKERS = 0x0002_fffd;
const EVERYTHING_BUT_WALKERS = 0xffff_fffd;

/**
 * One tick of physics as a function of the entities' state alone: the engine's world is made from it, stepped once, read
 * back and thrown away. So there is no hidden state (warm starts, sleeping bodies, the order of handles) in which a
 * recovered room, a replayed tick and a live one could differ. Handles never leave this function: they are bound anew to
 * the entities that are there, by network id and epoch (an `EntityRef`), in each tick.
 */
export function simulate(context: Context): void {
  const physics = new RAPIER.World({ x: 0, y: -GRAVITY });
  try {
    new Step(context, physics).run();
  } finally {
    physics.free();
  }
}

class Step {
  readonly #context: Context;
  readonly #physics: Physics;
  /** Lifts by the handle of their collider in this step. */
  readonly #lifts = new Map<number, { readonly ref: EntityRef; readonly body: RigidBody }>();
  readonly #loose: { readonly ref: EntityRef; readonly body: RigidBody }[] = [];
  readonly #walkers: { readonly ref: EntityRef; readonly body: RigidBody; readonly collider: Collider }[] =
    [];

  constructor(context: Context, physics: Physics) {
    this.#context = context;
    this.#physics = physics;
    physics.timestep = context.dt;
  }

  run(): void {
    const { world } = this.#context;
    // Always in the same order, which is the order of the solver's sums.
    for (const block of BLOCKS) this.#addBlock(block);
    for (const lift of byId(world.all("lift"))) this.#addLift(lift);
    for (const ball of byId(world.all("ball"))) this.#addLoose(ball, RAPIER.ColliderDesc.ball(BALL_RADIUS));
    for (const crate of byId(world.all("crate"))) {
      this.#addLoose(crate, RAPIER.ColliderDesc.cuboid(CRATE_HALF, CRATE_HALF));
    }
    for (const walker of byId(world.all("walker"))) this.#addWalker(walker);
    this.#physics.step();
    this.#moveWalkers();
    for (const { ref, body } of this.#loose) this.#readLoose(ref, body);
  }

  #addBlock({ x, y, halfWidth, halfHeight, turn }: (typeof BLOCKS)[number]): void {
    const shape = RAPIER.ColliderDesc.cuboid(halfWidth, halfHeight).setTranslation(x, y).setRotation(turn);
    this.#physics.createCollider(shape.setFriction(0.8));
  }

  /** From where it was in the tick before to where it is now, so that what lies on it is carried. */
  #addLift({ ref, pose, track }: Entity<Yard, "lift">): void {
    const before = liftAt(track, this.#context.tick - 1);
    const desc = RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(before.x, before.y);
    const body = this.#physics.createRigidBody(desc);
    const shape = RAPIER.ColliderDesc.cuboid(LIFT.halfWidth, LIFT.halfHeight).setFriction(1);
    this.#lifts.set(this.#physics.createCollider(shape, body).handle, { ref, body });
    body.setNextKinematicTranslation({ x: pose.x, y: pose.y });
  }

  #addLoose({ ref, pose, spin }: Loose, shape: InstanceType<typeof RAPIER.ColliderDesc>): void {
    const desc = RAPIER.RigidBodyDesc.dynamic()
      .setTranslation(pose.x, pose.y)
      .setLinvel(pose.vx, pose.vy)
      .setRotation(spin.turn)
      .setAngvel(spin.omega)
      .setAngularDamping(0.6)
      .setCanSleep(false);
    const body = this.#physics.createRigidBody(desc);
    this.#physics.createCollider(shape.setDensity(0.3).setFriction(0.7).setRestitution(0.35), body);
    this.#loose.push({ ref, body });
  }

  /** A lift has moved by now: who stands on it has, too, or would be in the middle of it. */
  #addWalker({ ref, pose, feet }: Walker): void {
    const carried = this.#carry(feet.lift);
    pose.x += carried.x;
    pose.y += carried.y;
    const desc = RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(pose.x, pose.y);
    const body = this.#physics.createRigidBody(desc);
    const shape = RAPIER.ColliderDesc.capsule(WALKER.halfHeight, WALKER.radius).setCollisionGroups(WALKERS);
    this.#walkers.push({ ref, body, collider: this.#physics.createCollider(shape, body) });
  }

  /** After the step, when the engine knows where everything is; what walkers push moves in the next one. */
  #moveWalkers(): void {
    if (this.#walkers.length === 0) return;
    // Its riders have been carried; the controller would carry them once more, by the lift's speed.
    for (const { body } of this.#lifts.values()) body.setBodyType(RAPIER.RigidBodyType.Fixed, false);
    const controller = this.#physics.createCharacterController(SKIN);
    controller.setMaxSlopeClimbAngle(0.9);
    controller.setMinSlopeSlideAngle(0.8);
    controller.enableAutostep(0.45, 0.2, false);
    controller.setApplyImpulsesToDynamicBodies(true);
    controller.setCharacterMass(WALKER_MASS);
    for (const { ref, collider } of this.#walkers) {
      const walker = this.#context.world.get(ref);
      if (walker?.archetype === "walker") this.#moveWalker(walker, collider, controller);
    }
  }

  #moveWalker({ pose, feet }: Walker, collider: Collider, controller: KinematicCharacterController): void {
    const { dt } = this.#context;
    // Over the crest of a hill or down a lift: a walker that stood stays on the ground, one that jumps doesn't.
    if (feet.grounded && pose.vy <= 0) controller.enableSnapToGround(0.35);
    else controller.disableSnapToGround();
    controller.computeColliderMovement(
      collider,
      { x: pose.vx * dt, y: pose.vy * dt },
      RAPIER.QueryFilterFlags.EXCLUDE_SENSORS,
      EVERYTHING_BUT_WALKERS,
    );
    const moved = controller.computedMovement();
    const grounded = controller.computedGrounded() && pose.vy <= 0;
    pose.x += moved.x;
    pose.y += moved.y;
    const free = { x: moved.x / dt, y: moved.y / dt };
    // What stopped it takes its speed; being lifted over a step gives it none.
    if (Math.abs(free.x) < Math.abs(pose.vx)) pose.vx = free.x;
    if (grounded) pose.vy = 0;
    else if (pose.vy > 0 && free.y < pose.vy) pose.vy = Math.max(0, free.y);
    feet.grounded = grounded;
    feet.airborne = grounded ? 0 : Math.min(255, feet.airborne + 1);
    feet.lift = grounded ? this.#liftUnder(pose) : NOBODY;
  }

  /** How far a lift has gone in this tick. */
  #carry(ref: EntityRef): { readonly x: number; readonly y: number } {
    const lift = ref === NOBODY ? undefined : this.#context.world.get(ref);
    if (lift?.archetype !== "lift") return { x: 0, y: 0 };
    const before = liftAt(lift.track, this.#context.tick - 1);
    return { x: lift.pose.x - before.x, y: lift.pose.y - before.y };
  }

  /** What a walker stands on, felt for with three rays: the controller doesn't tell what it rests on without a push. */
  #liftUnder({ x, y }: { readonly x: number; readonly y: number }): EntityRef {
    for (const aside of [0, -WALKER.radius, WALKER.radius]) {
      const ray = new RAPIER.Ray({ x: x + aside, y }, { x: 0, y: -1 });
      const hit = this.#physics.castRay(ray, REACH, true, RAPIER.QueryFilterFlags.EXCLUDE_DYNAMIC);
      const lift = this.#lifts.get(hit?.collider.handle ?? -1);
      if (lift) return lift.ref;
    }
    return NOBODY;
  }

  #readLoose(ref: EntityRef, body: RigidBody): void {
    const entity = this.#context.world.get(ref);
    if (entity?.archetype !== "ball" && entity?.archetype !== "crate") return;
    const { x, y } = body.translation();
    const { x: vx, y: vy } = body.linvel();
    Object.assign(entity.pose, { x, y, vx, vy });
    entity.spin.turn = body.rotation();
    entity.spin.omega = body.angvel();
  }
}

/** Rows are in another order in a page than in the room as soon as one of them has left and come back. */
function byId<E extends { readonly id: number }>(entities: Iterable<E>): E[] {
  return [...entities].sort((a, b) => a.id - b.id);
}
