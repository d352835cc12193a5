import { Icons } from './icons.tsx'
import { Row, Stack, Text } from './Layout.tsx'
import { Button, IconButton } from './Button.tsx'
import { hideToast, type Toast, useToasts } from '../platform/toasts.ts'

export function Toasts() {
  const toasts = useToasts((state) => state.toasts)
  return (
    <div className="toasts" role="status">
      <Stack gap={4}>
        {toasts.map(({ id, tone, text, action }) => (
          <Row
            align="start"
            gap={4}
            pad={[4, 5]}
            frame
            background="raised"
            className="toast"
            key={id}
            data-tone={tone}
          >
            <ToastIcon tone={tone} />
            <Text as="p" grow anywhere>
              {text}
            </Text>
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
          </Row>
        ))}
      </Stack>
    </div>
  )
}

export function ToastIcon({ tone }: Pick<Toast, 'tone'>) {
  const Icon = tone === 'valid' ? Icons.Check : Icons.CircleAlert
  return <Icon className="margin-top-1 tone-state" aria-hidden />
}
