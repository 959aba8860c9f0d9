/** A card that its patron turns: the back is drawn away by pointer, touch or keys, and the face shows from its edge. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { lessMotion } from "../appearance.ts";
import { Card, CardBack } from "../cards/card.tsx";

/** Drawn away so far, it turns by itself. */
const ENOUGH = 0.62;
const KEY_STEP = 0.08;

interface SqueezeProperties {
  code: string;
  pack: string;
  label: string;
  onTurned: () => void;
}

export function Squeeze({ code, pack, label, onTurned }: SqueezeProperties) {
  const drawn = useSignal(0), from = useRef<{ x: number; y: number } | null>(null);
  const share = drawn.value;
  const draw = (to: number) => {
    drawn.value = Math.min(1, Math.max(0, to));
    if (drawn.value >= ENOUGH) onTurned();
  };
  return (
    <button
      type="button" class="squeeze" aria-label={label}
      onPointerDown={(event) => {
        from.current = { x: event.clientX, y: event.clientY };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!from.current) return;
        const box = event.currentTarget.getBoundingClientRect();
        const way = Math.hypot(event.clientX - from.current.x, event.clientY - from.current.y);
        draw(way / Math.max(box.width, box.height));
      }}
      onPointerUp={() => {
        from.current = null;
        if (drawn.value < ENOUGH) drawn.value = 0;
      }}
      onPointerCancel={() => {
        from.current = null;
        drawn.value = 0;
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === " ") onTurned();
        else if (event.key === "ArrowUp" || event.key === "ArrowRight") draw(lessMotion.value ? 1 : drawn.value + KEY_STEP);
        else if (event.key === "ArrowDown" || event.key === "ArrowLeft") draw(drawn.value - KEY_STEP);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {/* The face is put in the page by the first touch, and is nobody's to read before it is turned. */}
      {share > 0 && <Card code={code} pack={pack} decorative />}
      <span class="over" style={{ clipPath: `inset(0 0 ${share * 100}% 0)` }}><CardBack decorative /></span>
      {share > 0 && <span class="fold" style={{ bottom: `${share * 100}%` }} />}
    </button>
  );
}
