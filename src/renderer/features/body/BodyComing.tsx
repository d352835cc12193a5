import { formatSize as byteSize } from '#shared/text/format.ts'
import { Stack } from '../../ui/Layout.tsx'

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
