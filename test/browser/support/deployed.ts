import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Inside the repository, so that `tickroom/…` means this package. */
const FOLDER = ".deploy";

/** A build of a small game as it is deployed: versions of the game, and where newcomers begin. */
export interface Build {
  readonly page: 1 | 2;
  readonly room: 1 | 2;
  readonly beginsAt: number;
}

const game = (version: number, purse: string) => `
import { axis, defineGame, fragment, int, num } from "tickroom/sim";
void int;
export const game = defineGame({
  name: "dots",
  version: ${version},
  tickRate: 60,
  input: { moveX: axis() },
  fragments: {
    ${purse}
    body: fragment({ x: num({ step: 1 / 32, rate: "vx" }), vx: num({ step: 1 }) }),
  },
  archetypes: { dot: { fragments: [${purse && '"purse", '}"body"], predict: "owner" } },
  systems: {
    physics: [
      function move({ driven, dt }) {
        for (const { entity, command } of driven("dot")) {
          entity.body.vx = command.moveX * 100;
          entity.body.x += entity.body.vx * dt;
        }
      },
    ],
  },
});
`;

const worker = ({ room, beginsAt }: Build) => `
import { migration, Room } from "tickroom/room";
import { createWorker } from "tickroom/worker";
import { game as v1 } from "./game-1.ts";
import { game as v2 } from "./game-2.ts";

const game = ${room === 1 ? "v1" : "v2"};
const onJoin = (seat) => void seat.spawn("dot", { body: { x: ${beginsAt} } });
export class DotsRoom extends Room(game, { onJoin }, { migrations: [migration(v1, v2)] }) {}
export default createWorker({ rooms: { dots: (env) => env.DOTS } });
`;

const page = ({ page: version }: Build) => `
import { join } from "tickroom/client";
import { game } from "./game-${version}.ts";

const NEWER = [4410, 4412, 4413];
const reload = ({ code }) => NEWER.includes(code) && location.reload();
document.title = "version ${version}";
join(game, { room: "dots:lobby", name: "me", keep: "reload" }).then((room) => {
  room.on("closed", reload);
  addEventListener("keydown", () => room.input.set({ moveX: 1 }));
  addEventListener("keyup", () => room.input.set({ moveX: 0 }));
  const draw = () => {
    room.frame();
    requestAnimationFrame(draw);
  };
  draw();
}, reload);
`;

const wrangler = `
name = "deployed"
main = "worker.ts"
compatibility_date = "2026-10-01"
compatibility_flags = ["nodejs_compat"]
[assets]
directory = "dist"
run_worker_first = ["/rooms/*", "/admin/*", "/health"]
[[durable_objects.bindings]]
name = "DOTS"
class_name = "DotsRoom"
[[migrations]]
tag = "v1"
new_sqlite_classes = ["DotsRoom"]
`;

export const CONFIG = `${FOLDER}/wrangler.toml`;

/** Puts a build where wrangler serves from, page first: from then on it is what is deployed. */
export function deploy(build: Build): void {
  mkdirSync(`${ROOT}/${FOLDER}`, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(`${ROOT}/${FOLDER}/${name}`, text);
  write("game-1.ts", game(1, ""));
  write("game-2.ts", game(2, "purse: fragment({ coins: int({ min: 0, max: 99, default: 5 }) }),"));
  write("page.ts", page(build));
  write("index.html", '<!doctype html><title>dots</title><script type="module" src="/page.ts"></script>');
  execFileSync(`${ROOT}/node_modules/.bin/vite`, ["build", FOLDER, "--logLevel", "error"], { cwd: ROOT });
  write("wrangler.toml", wrangler);
  write("worker.ts", worker(build));
}

export function removeDeployed(): void {
  rmSync(`${ROOT}/${FOLDER}`, { recursive: true, force: true });
}
