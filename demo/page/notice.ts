/** One line about the connection, in words, at the top of the screen. Empty when all is well. */
export class Notice {
  readonly #element: HTMLElement;
  readonly #lamp: HTMLElement;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(element: HTMLElement, lamp: HTMLElement) {
    this.#element = element;
    this.#lamp = lamp;
  }

  /** A state that lasts until another one is shown. */
  show(text: string, status: "connecting" | "joined" | "reconnecting" | "closed"): void {
    clearTimeout(this.#timer);
    this.#lamp.dataset.status = status;
    this.#element.dataset.status = status;
    this.#element.replaceChildren(text);
    this.#element.hidden = text === "";
  }

  /** Something that happened, for a moment. */
  flash(text: string, forMs = 3500): void {
    this.show(text, "joined");
    this.#timer = setTimeout(() => this.show("", "joined"), forMs);
  }

  /** A way out of a state that doesn't end by itself. */
  offer(label: string, act: () => void): void {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", act);
    this.#element.append(" ", button);
  }
}
