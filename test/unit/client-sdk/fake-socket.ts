import { decodeClientFrame, encodeServerFrame, PROTOCOL_VERSION } from "../../../protocol/index.ts";
import { line } from "./games.ts";

/** A socket whose other end is the test. */
export class FakeSocket extends EventTarget {
  static made: FakeSocket[] = [];
  /** What becomes of the next attempts to connect. */
  static answers = true;
  readonly url: string;
  readyState = 0;
  binaryType = "blob";
  readonly sent: Uint8Array[] = [];

  constructor(url: string) {
    super();
    this.url = url;
    FakeSocket.made.push(this);
    setTimeout(() => {
      if (!FakeSocket.answers) {
        this.dispatchEvent(new Event("error"));
        this.end(1006);
        return;
      }
      this.readyState = 1;
      this.dispatchEvent(new Event("open"));
    }, 1);
  }

  send(bytes: Uint8Array): void {
    this.sent.push(bytes.slice());
    const frame = decodeClientFrame(bytes, line.schema);
    if (frame.type === "hello") this.welcome(frame.inputSession);
  }

  welcome(inputSession: number): void {
    const bytes = encodeServerFrame({
      type: "welcome",
      protocol: PROTOCOL_VERSION,
      seat: 4,
      incarnation: 1,
      tick: 0,
      tickRate: 60,
      windowTicks: 3,
      inputSession: inputSession || 1,
      consumed: 0,
      durable: 0,
      credit: 128,
      roomName: "line:a",
      receiptHead: 0,
      openSessions: [],
    });
    this.dispatchEvent(new MessageEvent("message", { data: bytes.slice().buffer }));
  }

  end(code: number, reason = ""): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code, reason }));
  }

  close(): void {
    this.readyState = 3;
  }
  kinds(): string[] {
    return this.sent.map((bytes) => decodeClientFrame(bytes, line.schema).type);
  }
}
