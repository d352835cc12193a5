import { Stack } from '../../ui/Layout.tsx'
import { byteSize } from '../../ui/text/numbers.ts'
import { Masked } from '../../ui/Masked.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { marked } from './search.ts'

interface Props {
  /** Bytes that are here, and bytes in all; 0 while that is not known. */
  readonly held?: number
  readonly size?: number
}

/** A body that is on its way, or being read. What is there in a moment is not worth a word. */
export function BodyComing({ held = 0, size = 0 }: Props) {
  return (
    <Stack center full tone="dim" className="body-coming" role="status">
      Reading the body{size > held && held > 0 && `: ${byteSize(held)} of ${byteSize(size)}`}
    </Stack>
  )
}

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
