import { Stack } from '../../ui/Layout.tsx'
import { formatSize } from '#shared/text/format.ts'
import { Masked } from '../../ui/Masked.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { markMatches } from './search.ts'

interface Props {
  /** Loaded bytes, and total bytes; 0 while unknown. */
  readonly held?: number
  readonly size?: number
}

/** Shown while a body is loading. Fades in, so that short waits do not flicker. */
export function BodyLoading({ held = 0, size = 0 }: Props) {
  return (
    <Stack center full tone="dim" className="body-coming" role="status">
      Loading the body{size > held && held > 0 && `: ${formatSize(held)} of ${formatSize(size)}`}
    </Stack>
  )
}

/** Untrusted text with search matches highlighted and masked secrets as chips. */
export function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  return markMatches(text, query).map((part, index) =>
    part.hit ? (
      // The text is fixed, so the index is the key.
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
