import { Check, CircleAlert, X } from 'lucide-react'
import { Button, IconButton } from '../../components/Button.tsx'
import { hideToast, useToasts } from './toasts.ts'

/** Sentences that come and go at the window's foot. */
export function Toasts() {
  const toasts = useToasts((state) => state.toasts)
  return (
    <div className="toasts" role="status">
      {toasts.map(({ id, tone, text, action }) => (
        <div key={id} className="toast" data-tone={tone}>
          {tone === 'valid' ? <Check aria-hidden /> : <CircleAlert aria-hidden />}
          <p>{text}</p>
          {action !== null && (
            <Button
              kind="quiet"
              onClick={() => {
                hideToast(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label="Dismiss" onClick={() => hideToast(id)}>
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
    </div>
  )
}
