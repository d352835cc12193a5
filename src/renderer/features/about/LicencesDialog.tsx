import { useEffect, useState } from 'react'
import { Dialog } from '../../components/Dialog.tsx'
import { Note } from '../../components/Note.tsx'
import { visible } from '../../components/text/visible.ts'
import { closeDialog } from '../shell/dialogs.ts'
import './About.css'

/** Beside the interface itself, made with each build. */
const file = './licences.txt'
const notHere =
  'They are not here: this Tabscope was not built as a release. Each package has its own in its folder.'

/** The licence notices of all that is shipped. */
export function LicencesDialog({ open }: { readonly open: boolean }) {
  return (
    <Dialog
      open={open}
      onClose={closeDialog}
      title="Licences"
      description="Of Tabscope, and of all that it is made of."
      large
    >
      <Text />
    </Dialog>
  )
}

function Text() {
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
    // It scrolls: then it must be reached by keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="licences mono selectable" tabIndex={0} role="region" aria-label="Licence texts">
      {text}
    </pre>
  )
}
