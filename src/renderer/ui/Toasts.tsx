import { Check, CircleAlert, X } from './icons.tsx'
import { Row, Stack, Text } from './Layout.tsx'
import { Button, IconButton } from './Button.tsx'
import { hideToast, useToasts } from '../platform/toasts.ts'

export function Toasts() {
  const toasts = useToasts((state) => state.toasts)
  return (
    <Stack gap={4} className="toasts" role="status">
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
          {tone === 'valid' ? (
            <Check className="margin-top-1 tone-state" aria-hidden />
          ) : (
            <CircleAlert className="margin-top-1 tone-state" aria-hidden />
          )}
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
            <X aria-hidden />
          </IconButton>
        </Row>
      ))}
    </Stack>
  )
}
