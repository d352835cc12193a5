import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Text } from '../../ui/Layout.tsx'
import { cut, visible } from '../../ui/text/visible.ts'
import { useTargetQuestion } from './confirmation.ts'

const texts = {
  target: {
    title: 'Send deliveries outside your network?',
    description:
      'You have not sent anything to this address yet. A delivery contains guest data and a signature that stays valid. The recipient can read it and send it again.',
    no: 'Do not send',
    yes: 'Always send to this address',
  },
  server: {
    title: 'Use a public tunnel server?',
    description:
      'Volunteers run this server. Its operator can read all traffic through the tunnel. To avoid this, use your own server or another provider.',
    no: 'Cancel',
    yes: 'Open tunnel',
  },
} as const

/** Asks once before deliveries are sent to a public server. The button that declines has the focus. */
export function ConfirmTarget() {
  const question = useTargetQuestion((state) => state.question)
  if (question === null) return null
  const { title, description, no, yes } = texts[question.kind]
  return (
    <Dialog open onClose={() => question.respond(false)} title={title} description={description}>
      <Text
        as="p"
        above={5}
        pad={[4, 5]}
        round="m"
        ground="missing"
        weight="semibold"
        anywhere
        mono
        selectable
      >
        {visible(cut(question.origin, 300))}
      </Text>
      <Text as="p" above={4} tone="dim">
        Tabscope asks about this address only once.
      </Text>
      <div className="dialog-actions">
        <Button onClick={() => question.respond(false)}>{no}</Button>
        <Button kind="primary" onClick={() => question.respond(true)}>
          {yes}
        </Button>
      </div>
    </Dialog>
  )
}
