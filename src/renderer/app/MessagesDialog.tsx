import { Row, Text } from '../ui/Layout.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ClockTime } from '../ui/Time.tsx'
import { ToastIcon } from '../ui/Toasts.tsx'
import { useToasts } from '../platform/toasts.ts'
import { closeDialog } from '../state/overlays.ts'

/** The messages since the window was opened, newest first. */
export function MessagesDialog({ open }: { readonly open: boolean }) {
  const history = useToasts((state) => state.history)
  return (
    <Dialog
      open={open}
      onClose={closeDialog}
      title="Messages"
      description={
        history.length === 0
          ? 'No messages yet. They are kept here until you close or reload the window.'
          : 'Since you opened or reloaded the window, newest first.'
      }
    >
      <ul aria-label="Messages">
        {history.map(({ id, tone, text, at }) => (
          <Row as="li" key={id} gap={4} pad={[3, 0]} line="bottom-soft" data-tone={tone}>
            <ToastIcon tone={tone} />
            <Text grow anywhere selectable>
              {text}
            </Text>
            <Text tone="dim" size="s">
              <ClockTime at={at} isRounded />
            </Text>
          </Row>
        ))}
      </ul>
    </Dialog>
  )
}
