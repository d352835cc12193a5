import { commandGroups } from '#contract/command.ts'
import { entries } from '#contract/commands.ts'
import { Row } from '../ui/Layout.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { keyWord } from '../platform/keys.ts'
import { useShell } from '../state/app.ts'

/** All keyboard shortcuts, from the registry that also handles them. */
export function KeysDialog() {
  const shown = useShell((state) => state.keysShown)
  const withKeys = entries().filter(([, { keys }]) => keys.length > 0)
  const groups = commandGroups.filter((group) =>
    withKeys.some(([, command]) => command.group === group),
  )
  return (
    <Dialog
      open={shown}
      onClose={() => useShell.setState({ keysShown: false })}
      title="Keyboard shortcuts"
      description="They work wherever you are not typing."
      wide
    >
      <div className="keys">
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3 className="size-xs dim">{group}</h3>
            <dl>
              {withKeys
                .filter(([, command]) => command.group === group)
                .map(([name, { keys, label }]) => (
                  <div key={name}>
                    <dt>{label}</dt>
                    <Row as="dd" gap={2}>
                      {keys.map((key) => (
                        <kbd key={key}>{keyWord(key)}</kbd>
                      ))}
                    </Row>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
