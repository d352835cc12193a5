import { entries, isForReading } from '#contract/commands.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { modKey } from './keys.ts'
import { useCan, useShell } from './store.ts'

const groups = [
  'Deliveries',
  'One delivery',
  'Jobs',
  'Compose',
  'Conformance',
  'Authorization',
  'API console',
  'Tunnel',
  'Event logs',
  'Everywhere',
] as const

const drawn: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  Enter: 'Enter',
  Escape: 'Esc',
  G: 'Shift G',
  L: 'Shift L',
  R: 'Shift R',
  T: 'Shift T',
  'Shift+ArrowDown': 'Shift ↓',
  'Shift+ArrowUp': 'Shift ↑',
  'Mod+a': `${modKey} A`,
  'Mod+k': `${modKey} K`,
  'Mod+Enter': `${modKey} Enter`,
}

/** Every key, from the registry that also listens to them. */
export function KeysDialog() {
  const shown = useShell((state) => state.keysShown)
  const editing = useCan('editing')
  const actions = entries().filter(([name]) => editing || isForReading(name))
  const there = groups.filter((group) => actions.some(([, action]) => action.group === group))
  return (
    <Dialog
      open={shown}
      onClose={() => useShell.setState({ keysShown: false })}
      title="Keys"
      description="They work wherever you are not typing."
      wide
    >
      <div className="keys">
        {there.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <dl>
              {actions
                .filter(([, action]) => action.group === group)
                .map(([name, { keys, label }]) => (
                  <div key={name}>
                    <dt>{label}</dt>
                    <dd>
                      {keys.map((key) => (
                        <kbd key={key}>{drawn[key] ?? key.toUpperCase()}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
