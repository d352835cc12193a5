import { useEffect, useState } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { Note } from '../../ui/Note.tsx'
import { visible } from '../../ui/text/visible.ts'
import { closeDialog } from '../../platform/dialogs.ts'
import './About.css'

/** Beside the interface itself, made with each build. */
const file = './licences.txt'
const notHere =
  'No license texts: this is not a release build. Each package has its license in its own folder.'

/** The licence notices of all that is shipped. */
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
    const stop = new AbortController()
    fetch(file, { signal: stop.signal })
      .then(async (answer) => (answer.ok ? answer.text() : Promise.reject(new Error(notHere))))
      .then((text) => setText(text.split(/\r?\n/).map(visible).join('\n')))
      .catch(() => {
        if (!stop.signal.aborted) setFailed(true)
      })
    return () => stop.abort()
  }, [])
  if (failed) return <Note tone="unsigned">{notHere}</Note>
  return (
    <pre
      className="licences framed round-m ground-sunken scroll size-s anywhere mono selectable"
      // It scrolls: then it must be reached by keys.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="License texts"
    >
      {text}
    </pre>
  )
}
