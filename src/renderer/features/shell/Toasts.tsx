import { Check, CircleAlert, X } from 'lucide-react'
import { IconButton } from '../../components/Button.tsx'
import { hideToast, useToasts } from './toasts.ts'

/** Sentences that come and go at the window's foot. */
export function Toasts() {
  const toasts = useToasts((state) => state.toasts)
  return (
    <div className="toasts" role="status">
      {toasts.map(({ id, tone, text }) => (
        <div key={id} className="toast" data-tone={tone}>
          {tone === 'valid' ? <Check aria-hidden /> : <CircleAlert aria-hidden />}
          <p>{text}</p>
          <IconButton label="Dismiss" onClick={() => hideToast(id)}>
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
    </div>
  )
}
