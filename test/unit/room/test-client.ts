import {
  type BaselineFrame,
  type ClientFrame,
  decodeEntities,
  decodeServerFrame,
  type EventItem,
  type ExactRow,
  encodeClientFrame,
  type NoticeFrame,
  PROTOCOL_VERSION,
  type Receipt,
  type ResendFrame,
  type RosterFrame,
  resolveSnapshot,
  type SessionFrame,
  type Snapshot,
  type SnapshotFrame,
  type WelcomeFrame,
} from "../../../protocol/index.ts";
import {
  type CallInput,
  type CommandOf,
  type Game,
  type GameShape,
  packCommand,
  QuantisedState,
} from "../../../sim/index.ts";

export interface Hello {
  readonly name?: string;
  readonly inputSession?: number;
  readonly nextSeq?: number;
  /** *Default* `nextSeq`: nothing to send again. */
  readonly oldestSeq?: number;
  readonly overrides?: Partial<ClientFrame & { type: "hello" }>;
}

type KnownSnapshot = Snapshot & Pick<SnapshotFrame, "baseTick" | "shared">;

/** What a client would be without prediction: it keeps every frame, and checks that differences apply. */
export class TestClient<S extends GameShape> {
  readonly game: Game<S>;
  readonly secret: Uint8Array;
  readonly frames: string[] = [];
  readonly snapshots: KnownSnapshot[] = [];
  readonly states = new Map<number, QuantisedState>();
  readonly welcomes: WelcomeFrame[] = [];
  readonly sessionNews: SessionFrame[] = [];
  readonly resends: ResendFrame[] = [];
  /** Every receipt that came, repeats included, in the order of arrival. */
  readonly receipts: Receipt[] = [];
  readonly baselines: BaselineFrame[] = [];
  readonly events: EventItem[] = [];
  readonly notices: NoticeFrame[] = [];
  roster: RosterFrame["seats"] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  nextSeq = 1;
  /** Newest tick acknowledged. */
  acked = 0;
  /** False makes it a client that doesn't read what it is sent. */
  reads = true;

  constructor(game: Game<S>, secretByte: number) {
    this.game = game;
    this.secret = new Uint8Array(32).fill(secretByte);
  }

  get welcome(): WelcomeFrame {
    const welcome = this.welcomes.at(-1);
    if (!welcome) throw new Error("no welcome yet");
    return welcome;
  }

  get snapshot(): KnownSnapshot {
    const snapshot = this.snapshots.at(-1);
    if (!snapshot) throw new Error("no snapshot yet");
    return snapshot;
  }

  get state(): QuantisedState {
    const state = this.states.get(this.snapshot.tick);
    if (!state) throw new Error("the newest snapshot could not be applied");
    return state;
  }

  get ownRows(): ExactRow[] {
    return [...this.snapshot.own];
  }

  receive(bytes: Uint8Array): void {
    const frame = decodeServerFrame(bytes);
    this.frames.push(frame.type);
    switch (frame.type) {
      case "welcome":
        this.welcomes.push(frame);
        break;
      case "roster":
        this.roster = frame.seats;
        break;
      case "snapshot": {
        const base = frame.baseTick === 0 ? QuantisedState.empty() : this.states.get(frame.baseTick);
        if (!base) throw new Error(`snapshot ${frame.tick} needs ${frame.baseTick}, which never came`);
        const before = this.snapshots.findLast(({ tick }) => tick === frame.baseTick);
        this.snapshots.push({ ...frame, ...resolveSnapshot(this.game.schema, frame, before) });
        this.states.set(frame.tick, decodeEntities(this.game.schema, base, frame.shared, frame.tick));
        break;
      }
      case "session":
        this.sessionNews.push(frame);
        break;
      case "resend":
        this.resends.push(frame);
        break;
      case "receipts":
        this.receipts.push(...frame.items);
        break;
      case "notice":
        this.notices.push(frame);
        break;
      case "baseline":
        this.baselines.push(frame);
        break;
      case "events":
        this.events.push(...frame.items);
        break;
      default:
        throw new Error(`unexpected frame ${frame.type}`);
    }
  }

  /** Oldest command that isn't known to be stored: the client still has it. */
  get oldestSeq(): number {
    const { inputSession } = this.welcome;
    const frames = [this.welcome, ...this.snapshots].filter((frame) => frame.inputSession === inputSession);
    return Math.min(this.nextSeq, Math.max(...frames.map(({ durable }) => durable)) + 1);
  }

  hello(hello: Hello = {}): Uint8Array {
    const { name = "Ada", inputSession = 0, nextSeq = 1, oldestSeq = nextSeq, overrides = {} } = hello;
    return encodeClientFrame(
      {
        type: "hello",
        protocol: PROTOCOL_VERSION,
        game: this.game.name,
        gameVersion: this.game.version,
        fingerprint: this.game.schema.fingerprint,
        secret: this.secret,
        name,
        inputSession,
        nextSeq,
        oldestSeq,
        incarnation: 0,
        ...overrides,
      },
      this.game.schema,
    );
  }

  /** An input frame with the next commands, or with the numbers given. */
  input(
    commands: readonly (Partial<CommandOf<S>> & { readonly calls?: readonly CallInput[] })[],
    { from = this.nextSeq, inputSession = this.welcome.inputSession, sentAtMs = 0 } = {},
  ): Uint8Array {
    this.nextSeq = Math.max(this.nextSeq, from + commands.length);
    const entries = commands.map((command, i) => ({
      seq: from + i,
      bytes: packCommand(this.game.schema, command, command.calls),
    }));
    return encodeClientFrame(
      { type: "input", inputSession, sentAtMs, ackTick: this.#ack(), commands: entries },
      this.game.schema,
    );
  }

  #ack(): number {
    if (this.reads) this.acked = this.snapshots.at(-1)?.tick ?? 0;
    return this.acked;
  }

  frame(frame: ClientFrame): Uint8Array {
    return encodeClientFrame(frame, this.game.schema);
  }
}
