import { lazy, Suspense, useState } from 'react'
import type { OpenDialog } from './dialogs.ts'
import { useOpenDialog } from './dialogs.ts'

const dialogs = {
  about: lazy(async () => ({ default: (await import('../about/AboutDialog.tsx')).AboutDialog })),
  licences: lazy(async () => ({
    default: (await import('../about/LicencesDialog.tsx')).LicencesDialog,
  })),
  clear: lazy(async () => ({
    default: (await import('../settings/ClearConfirm.tsx')).ClearConfirm,
  })),
} as const satisfies Record<OpenDialog, unknown>

/** The dialogs that any page can ask for. Each is mounted when it is first wanted, and then for good: closed, it gives the focus back. */
export function AskedDialogs() {
  const asked = useOpenDialog((state) => state.asked)
  const [wanted, setWanted] = useState<readonly OpenDialog[]>([])
  if (asked !== null && !wanted.includes(asked)) setWanted([...wanted, asked])
  return wanted.map((name) => {
    const Dialog = dialogs[name]
    return (
      <Suspense key={name} fallback={null}>
        <Dialog open={asked === name} />
      </Suspense>
    )
  })
}
