import { FileLock2 } from 'lucide-react'
import { draftBodyLimit } from '#contract/compose.ts'
import { Empty } from '../../../components/Empty.tsx'
import { byteSize } from '../../../components/text/numbers.ts'
import { useClient } from '../../../platform/use-client.ts'
import { editBody } from '../edit.ts'
import type { Session } from '../store.ts'
import { FileButton } from './BodyTools.tsx'

/** A body that is not here: too large to be edited, or gone with its delivery. */
export function NoBody({ session }: { readonly session: Session }) {
  const client = useClient()
  const { originalLost, preview } = session
  return (
    <Empty
      icon={<FileLock2 aria-hidden />}
      title={originalLost === null ? 'As captured, too large to edit here' : 'The body is gone'}
      actions={
        <FileButton kind="primary" onBytes={(bytes) => editBody(client, bytes)}>
          Replace by file
        </FileButton>
      }
    >
      {originalLost === null
        ? `It goes out as it came${preview ? `, ${byteSize(preview.bytes)}` : ''}. Up to ${byteSize(draftBodyLimit)} can be edited.`
        : originalLost}
    </Empty>
  )
}
