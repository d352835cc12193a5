import { visibleParts } from './text/visible.ts'

/** Text that came from outside, with what would not show written as marked escapes. */
export function Shown({ text }: { readonly text: string }) {
  const parts = visibleParts(text)
  if (parts.length === 1 && parts[0] && !parts[0].escaped) return text
  return parts.map((part, index) =>
    part.escaped ? (
      // The pieces of a fixed text: their place is their identity.
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className="escape">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  )
}
