import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Text } from '../../ui/Layout.tsx'
import { cut, visible } from '../../ui/text/visible.ts'
import { useTargets } from './confirming.ts'

const texts = {
  target: {
    title: 'Send deliveries out of this network?',
    description:
      'You have not sent anything to this address yet. A delivery contains guests’ data and a signature that stays valid: whoever receives it can read it and send it again.',
    no: 'Do not send',
    yes: 'Send there, now and later',
  },
  server: {
    title: 'Use a public tunnel server?',
    description:
      'This server is run by volunteers. Whoever runs it can read everything that passes through the tunnel. To avoid that, set a server of your own, or use another provider.',
    no: 'Cancel',
    yes: 'Open tunnel',
  },
} as const

/** Asks once before deliveries go to a public server. The button that declines has the focus. */
export function ConfirmTarget() {
  const asking = useTargets((state) => state.asking)
  if (asking === null) return null
  const { title, description, no, yes } = texts[asking.kind]
  return (
    <Dialog open onClose={() => asking.answer(false)} title={title} description={description}>
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
        {visible(cut(asking.origin, 300))}
      </Text>
      <Text as="p" above={4} tone="dim">
        You are asked about this address only once.
      </Text>
      <div className="dialog-actions">
        <Button onClick={() => asking.answer(false)}>{no}</Button>
        <Button kind="primary" onClick={() => asking.answer(true)}>
          {yes}
        </Button>
      </div>
    </Dialog>
  )
}
