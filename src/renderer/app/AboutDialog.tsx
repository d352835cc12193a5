import { Dialog } from '#kit/Dialog.tsx'
import { Note, WhenLoaded } from '#kit/Note.tsx'
import { useQuery } from '#client/use-client.ts'
import { closeDialog } from '#client/state/overlays.ts'
import { CopyVersions, ShowLicences, Versions } from '#parts/AboutFacts.tsx'
import { useEffect, useState } from 'react'
import { escapeControls } from '#kit/text/visible.ts'

export function AboutDialog({ open }: { readonly open: boolean }) {
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

export function LicencesDialog({ open }: { readonly open: boolean }) {
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

export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 20 20" fill="none" strokeWidth="2" aria-hidden="true">
      <circle cx="8.5" cy="8.5" r="5.5" />
      <path d="m12.8 12.8 4.2 4.2M6 8.5h5M8.5 6v5" strokeLinecap="round" />
    </svg>
  )
}
