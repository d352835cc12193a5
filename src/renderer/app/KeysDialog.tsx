import { commandGroups } from '#contract/command.ts'
import { entries } from '#contract/commands.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { keyWord } from '#kit/text/key-words.ts'
import { useShell } from '#client/state/app.ts'

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
      <div className="keys mt-5 columns-2 gap-x-9 below-480:columns-1 [&_kbd]:h-(--icon-l) [&_kbd]:min-w-(--icon-l) [&_kbd]:text-mid [&_section]:mb-6 [&_section]:break-inside-avoid">
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3 className="text-xs text-dim">{group}</h3>
            <dl>
              {withKeys
                .filter(([, command]) => command.group === group)
                .map(([name, { keys, label }]) => (
                  <div key={name}>
                    <dt>{label}</dt>
                    <dd className="flex gap-2">
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
