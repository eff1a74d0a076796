import { KIOSK } from "../level.ts";
import { CAN, CAN_PRICE, KIOSK_RADIUS } from "../tuning.ts";
import { type Frame, isVisible, toScreen } from "./camera.ts";
import type { Glows } from "./lights.ts";
import { INK } from "./palette.ts";

const LAMP_HUE = 55;
const TURN = 2 * Math.PI;

/** The kiosk: a lit place on the floor with a can of paint on it. */
export function drawKiosk(
  context: CanvasRenderingContext2D,
  glows: Glows,
  nowMs: number,
  isServed: boolean,
): void {
  const beat = 0.5 + 0.5 * Math.sin(nowMs / 500);
  context.globalCompositeOperation = "lighter";
  glows.draw(context, LAMP_HUE, KIOSK, 2.6, isServed ? 0.5 : 0.22 + 0.1 * beat);
  context.globalCompositeOperation = "source-over";
  context.strokeStyle = isServed ? INK.spark : INK.platform;
  context.lineWidth = isServed ? 0.1 : 0.07;
  context.beginPath();
  context.arc(KIOSK.x, KIOSK.y, KIOSK_RADIUS, 0, TURN);
  context.stroke();
  drawCan(context);
}

function drawCan(context: CanvasRenderingContext2D): void {
  context.save();
  context.translate(KIOSK.x, KIOSK.y);
  context.strokeStyle = INK.platformEdge;
  context.lineWidth = 0.05;
  context.beginPath();
  context.arc(0, -0.26, 0.3, Math.PI, TURN);
  context.stroke();
  context.fillStyle = INK.platform;
  context.beginPath();
  context.roundRect(-0.36, -0.28, 0.72, 0.66, 0.09);
  context.fill();
  context.fillStyle = INK.spark;
  context.beginPath();
  context.ellipse(0, -0.26, 0.36, 0.11, 0, 0, TURN);
  context.fill();
  context.beginPath();
  context.roundRect(-0.2, -0.26, 0.14, 0.34, 0.07);
  context.roundRect(0.06, -0.26, 0.11, 0.24, 0.05);
  context.fill();
  context.restore();
}

/** What there is to be had, for somebody who is near. In screen pixels. */
export function drawOffer(context: CanvasRenderingContext2D, frame: Frame, isServed: boolean): void {
  if (!isVisible(frame, KIOSK, 2)) return;
  const { x, y } = toScreen(frame, { x: KIOSK.x, y: KIOSK.y + KIOSK_RADIUS });
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.lineJoin = "round";
  context.font = `${isServed ? 650 : 500} 12.5px system-ui, sans-serif`;
  context.strokeStyle = INK.outline;
  context.lineWidth = 3;
  const text = isServed ? `B: ${CAN} shots for ${CAN_PRICE} ●` : `Paint · ${CAN_PRICE} ●`;
  context.strokeText(text, x, y + 17);
  context.fillStyle = isServed ? INK.spark : INK.textMuted;
  context.fillText(text, x, y + 17);
}
