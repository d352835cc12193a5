import { Dialog } from '#kit/Dialog.tsx'
import { ClockTime } from '#kit/Time.tsx'
import { ToastIcon } from '#kit/Toasts.tsx'
import { useToasts } from '#kit/toasts.ts'
import { closeDialog } from '#client/state/overlays.ts'

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
          <li className="flex gap-4 border-b border-line-soft py-3" key={id} data-tone={tone}>
            <ToastIcon tone={tone} />
            <span className="flex-1 wrap-anywhere select-text">{text}</span>
            <span className="text-s text-dim">
              <ClockTime at={at} isRounded />
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
