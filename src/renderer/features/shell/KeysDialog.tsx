import { commandGroups } from '#contract/command.ts'
import { entries, isForReading } from '#contract/commands.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { keyWord } from './key-labels.ts'
import { useCan, useShell } from './store.ts'

/** Every key, from the registry that also listens to them. */
export function KeysDialog() {
  const shown = useShell((state) => state.keysShown)
  const editing = useCan('editing')
  const withKeys = entries().filter(
    ([name, { keys }]) => keys.length > 0 && (editing || isForReading(name)),
  )
  const groups = commandGroups.filter((group) => withKeys.some(([, one]) => one.group === group))
  return (
    <Dialog
      open={shown}
      onClose={() => useShell.setState({ keysShown: false })}
      title="Keys"
      description="They work wherever you are not typing."
      wide
    >
      <div className="keys">
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <dl>
              {withKeys
                .filter(([, one]) => one.group === group)
                .map(([name, { keys, label }]) => (
                  <div key={name}>
                    <dt>{label}</dt>
                    <dd>
                      {keys.map((key) => (
                        <kbd key={key}>{keyWord(key)}</kbd>
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
