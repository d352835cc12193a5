import { Masked } from '../../ui/Masked.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { marked } from './search.ts'

/** Text from outside with what is searched for marked, and secrets that are held back as chips. */
export function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }) {
  return marked(text, wanted).map((part, index) =>
    part.hit ? (
      // The pieces of a fixed text: their place is their identity.
      // oxlint-disable-next-line react/no-array-index-key
      <mark className="hit" key={index}>
        <Shown text={part.text} />
      </mark>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <Masked key={index} text={part.text} />
    ),
  )
}
