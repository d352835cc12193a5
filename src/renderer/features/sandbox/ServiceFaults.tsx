import { Bug } from 'lucide-react'
import { useState } from 'react'
import type { SandboxService } from '#contract/sandbox-service.ts'
import { Button } from '../../components/Button.tsx'
import { Note } from '../../components/Note.tsx'
import { sentence } from '../../platform/call-error.ts'
import { useAction, useClient } from '../../platform/use-client.ts'
import { useSandbox } from './store.ts'

/** What the service can be told to do wrong. Those that are on stand out, since they explain what else is seen. */
export function ServiceFaults({ service }: { readonly service: SandboxService }) {
  const client = useClient()
  const change = useAction(async (faults: readonly string[]) => {
    useSandbox.setState({
      service: await client.call('sandboxService.configure', { faults: [...faults] }),
    })
  })
  const [open, setOpen] = useState(() => service.faults.some((fault) => fault.on))
  const on = service.faults.filter((fault) => fault.on).map(({ name }) => name)
  if (service.faults.length === 0) return null
  return (
    <details
      className="service-faults"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Bug aria-hidden /> Faults
        <span className="tag" data-tone={on.length > 0 ? 'missing' : 'unsigned'}>
          {on.length === 0 ? 'none on' : `${on.length} on`}
        </span>
      </summary>
      <div className="fault-line dim">
        <span>What the service does wrong on purpose, to see how your integration bears it.</span>
        {on.length > 0 && (
          <Button kind="quiet" busy={change.busy} onClick={() => change.start([])}>
            All off
          </Button>
        )}
      </div>
      {change.error !== null && (
        <Note tone="invalid" alert>
          {sentence(change.error)}
        </Note>
      )}
      <ul className="faults" aria-label="Faults">
        {service.faults.map((fault) => (
          <li key={fault.name}>
            <label className="fault" data-on={fault.on || undefined}>
              <input
                type="checkbox"
                role="switch"
                checked={fault.on}
                aria-checked={fault.on}
                onChange={() =>
                  change.start(
                    fault.on ? on.filter((name) => name !== fault.name) : [...on, fault.name],
                  )
                }
              />
              <span className="switch" aria-hidden />
              <span>
                {fault.label}
                <code className="mono">{fault.name}</code>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  )
}
