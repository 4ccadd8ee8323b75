import { useLayoutEffect, useRef, type RefObject } from "react";

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps the form around a field from being sent as long as there is a message about what stands in the field: the
 * browser then goes to the field and shows it, as for a required field that is empty. For input that no draft could
 * hold. (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#dom-cva-setcustomvalidity)
 */
export function useFieldValidity<Kind extends Field>(message: string | undefined): RefObject<Kind | null> {
  const field = useRef<Kind>(null);
  useLayoutEffect(() => field.current?.setCustomValidity(message ?? ""), [message]);
  return field;
}
