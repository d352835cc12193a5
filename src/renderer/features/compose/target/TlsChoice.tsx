import { ShieldCheck, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import type { Target } from '#contract/sending.ts'
import { Button } from '../../../components/Button.tsx'
import { Confirm } from '../../../components/Confirm.tsx'
import { StateMark } from '../../../components/StateMark.tsx'
import { visible } from '../../../components/text/visible.ts'
import { sentence } from '../../../platform/call-error.ts'
import { useAction, useClient } from '../../../platform/use-client.ts'
import { changeSession, sessionNow } from '../store.ts'

/** Whether the certificate of a target is looked at. That it is not is a choice, asked about, and loud. */
export function TlsChoice({ target }: { readonly target: Target }) {
  const client = useClient()
  const [asking, setAsking] = useState(false)
  const set = useAction(async (verifyTls: boolean) => {
    const key = sessionNow()?.key
    const changed = await client.call('targets.set', { url: target.origin, verifyTls })
    if (key !== undefined) changeSession(key, { target: changed })
    setAsking(false)
  })
  if (!target.origin.startsWith('https:')) return null
  const there = visible(target.origin)
  return (
    <span className="compose-tls" data-off={!target.verifyTls || undefined}>
      {target.verifyTls ? (
        <StateMark tone="valid" icon={ShieldCheck} word="TLS verified" />
      ) : (
        <StateMark tone="invalid" icon={ShieldOff} word="TLS verify: off" />
      )}
      {target.verifyTls ? (
        <Button kind="quiet" onClick={() => setAsking(true)}>
          Turn off…
        </Button>
      ) : (
        <Button busy={set.busy} onClick={() => set.start(true)}>
          Verify again
        </Button>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Take any certificate from ${there}?`}
        description="Whoever stands between can then read what is sent and answer in its place. It holds for this target alone, until you turn it on again."
        action="Do not verify"
        busy={set.busy}
        error={set.error === null ? null : sentence(set.error)}
        onConfirm={() => set.start(false)}
      />
    </span>
  )
}
