import { commandGroups } from '#contract/command.ts'
import { entries } from '#contract/commands.ts'
import { keyLabel } from '#kit/text/key-labels.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { Note, WhenLoaded } from '#kit/Note.tsx'
import { ClockTime } from '#kit/Time.tsx'
import { ToastIcon } from '#kit/Toasts.tsx'
import { useToasts } from '#kit/toasts.ts'
import { useQuery } from '#client/use-client.ts'
import { closeDialog, useOpenDialog } from '#client/state/overlays.ts'
import { CopyVersions, ShowLicences, Versions } from '#parts/AboutFacts.tsx'
import { useEffect, useState } from 'react'
import { Logo } from './Rail.tsx'
import { escapeControls } from '#kit/text/visible.ts'

/** The dialogs that any page can open. */
export function GlobalDialogs() {
  const open = useOpenDialog((state) => state.open)
  return (
    <>
      <AboutDialog open={open === 'about'} />
      <LicencesDialog open={open === 'licences'} />
      <MessagesDialog open={open === 'messages'} />
      <KeysDialog open={open === 'keys'} />
    </>
  )
}

function AboutDialog({ open }: { open: boolean }) {
  return (
    <Dialog
      open={open}
      onClose={closeDialog}
      title="About Tabscope"
      description="A webhook inspector for integrations with one hospitality platform."
    >
      <Facts />
    </Dialog>
  )
}

function Facts() {
  const query = useQuery('app.about', {})
  return (
    <WhenLoaded
      query={query}
      loading={<div className="mt-6 min-h-(--measure-field)" role="status" aria-label="Loading" />}
    >
      {(about) => (
        <div className="mt-6 min-h-(--measure-field)">
          <div className="flex gap-6 [&_.logo]:h-(--bar) [&_.logo]:w-(--bar)">
            <Logo />
            <Versions about={about} />
          </div>
          <div className="dialog-actions">
            <ShowLicences />
            <CopyVersions about={about} primary />
          </div>
        </div>
      )}
    </WhenLoaded>
  )
}

/** Each release build writes this file next to the interface. */
const file = './licences.txt'
const missingTexts =
  'No license texts: this is not a release build. Each package has its license in its own folder.'

function LicencesDialog({ open }: { open: boolean }) {
  return (
    <Dialog
      open={open}
      onClose={closeDialog}
      title="Licenses"
      description="The licenses of Tabscope and its dependencies."
      large
    >
      <LicenceText />
    </Dialog>
  )
}

function LicenceText() {
  const [text, setText] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    fetch(file, { signal: controller.signal })
      .then((response) => (response.ok ? response.text() : Promise.reject(new Error(missingTexts))))
      .then((text) => setText(text.split(/\r?\n/).map(escapeControls).join('\n')))
      .catch(() => {
        if (!controller.signal.aborted) setFailed(true)
      })
    return () => controller.abort()
  }, [])
  if (failed) return <Note tone="unsigned">{missingTexts}</Note>
  return (
    <pre
      className="framed mono mt-5 min-h-0 flex-1 overflow-auto rounded-md bg-sunken p-5 text-s leading-[1.5] wrap-anywhere whitespace-pre-wrap select-text"
      // A scrollable region must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="License texts"
    >
      {text}
    </pre>
  )
}

function MessagesDialog({ open }: { open: boolean }) {
  const history = useToasts((state) => state.history)
  return (
    <Dialog
      open={open}
      onClose={closeDialog}
      title="Messages"
      description={
        history.length === 0
          ? 'No messages yet. They are kept here until you close or reload the window.'
          : 'Since you opened or reloaded the window, newest first.'
      }
    >
      <ul aria-label="Messages">
        {history.map(({ id, tone, text, at }) => (
          <li className="flex gap-4 border-b border-line-soft py-3" key={id} data-tone={tone}>
            <ToastIcon tone={tone} />
            <span className="flex-1 wrap-anywhere select-text">{text}</span>
            <span className="text-s text-dim">
              <ClockTime at={at} isRounded />
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** All keyboard shortcuts, from the registry that also handles them. */
function KeysDialog({ open }: { open: boolean }) {
  const withKeys = entries().filter(([, { keys }]) => keys.length > 0)
  const groups = commandGroups.filter((group) =>
    withKeys.some(([, command]) => command.group === group),
  )
  return (
    <Dialog
      open={open}
      onClose={closeDialog}
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
                        <kbd key={key}>{keyLabel(key)}</kbd>
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
