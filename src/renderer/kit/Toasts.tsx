import { Icons } from './icons.tsx'
import { Button, IconButton } from './Button.tsx'
import { hideToast, type Toast, useToasts } from './toasts.ts'

export function Toasts() {
  const toasts = useToasts((state) => state.toasts)
  return (
    <div className="toasts relative z-(--layer-toast)" role="status">
      <div className="grid gap-4">
        {toasts.map(({ id, tone, text, action }) => (
          <div
            className="framed toast flex [animation:fade_var(--ease)] items-start gap-4 bg-raised px-5 py-4 shadow-l"
            key={id}
            data-tone={tone}
          >
            <ToastIcon tone={tone} />
            <p className="flex-1 wrap-anywhere">{text}</p>
            {action !== null && (
              <Button
                kind="quiet"
                small
                onClick={() => {
                  hideToast(id)
                  action.run()
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton label="Dismiss" onClick={() => hideToast(id)}>
              <Icons.X />
            </IconButton>
          </div>
        ))}
      </div>
    </div>
  )
}

export function ToastIcon({ tone }: Pick<Toast, 'tone'>) {
  const Icon = tone === 'valid' ? Icons.Check : Icons.CircleAlert
  return <Icon className="mt-1 text-tone" aria-hidden />
}
