import type { ApiRequest } from '#contract/api.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Note } from '../../ui/Note.tsx'
import { ErrorNote } from '../../ui/Failure.tsx'
import { copyText } from '../../platform/clipboard.ts'
import { useAction, useClient, useQuery } from '../../platform/use-client.ts'
import { toast } from '../../platform/toasts.ts'

interface Props {
  readonly request: ApiRequest
  /** Why there is no command; null if the request is valid. */
  readonly invalidReason: string | null
  readonly onClose: () => void
}

/** The request as a shell command. Includes the token only on request. */
export function CurlDialog({ request, invalidReason, onClose }: Props) {
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="cURL command"
      description={
        request.tokenId === null
          ? 'For a POSIX shell.'
          : 'For a POSIX shell. Reads the token from the environment variable TOKEN.'
      }
    >
      {invalidReason === null ? (
        <Command request={request} onClose={onClose} />
      ) : (
        <Note tone="warning">{invalidReason}</Note>
      )}
    </Dialog>
  )
}

function Command({ request, onClose }: Omit<Props, 'invalidReason'>) {
  const client = useClient()
  const { state } = useQuery('api.curl', { request })
  const withToken = useAction(async () => {
    const { command } = await client.call('api.curl', { request, withToken: true })
    await copyText(command)
    toast('valid', 'Copied with the token. Do not share it in chats or tickets.')
    onClose()
  })
  if (state.phase === 'failed') return <Note tone="invalid">{state.message}</Note>
  const command = state.phase === 'ready' ? state.value.command : ''
  return (
    <>
      <CodeBlock label="Command" text={command} />
      <ErrorNote error={withToken.error} />
      <div className="dialog-actions">
        {request.tokenId !== null && (
          <Button kind="danger" busy={withToken.busy} onClick={() => withToken.start()}>
            Copy with token in clear text
          </Button>
        )}
        <CopyButton text={command} label="Copy command" words="Copy" kind="primary" />
      </div>
    </>
  )
}
