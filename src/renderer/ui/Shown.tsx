import { visibleParts } from './text/visible.ts'

/** Untrusted text, with invisible and control characters shown as escapes. */
export function Shown({ text }: { readonly text: string }) {
  const parts = visibleParts(text)
  if (parts.length === 1 && parts[0] && !parts[0].escaped) return text
  return parts.map((part, index) =>
    part.escaped ? (
      // The text does not change, so the index is the key.
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className="escape">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  )
}
