import { lazy, Suspense } from 'react'
import type { ComponentProps, ReactNode } from 'react'

// Nobody begins with these: what the first screen needs stays small without them.

const Attempts = lazy(async () => {
  const { AttemptsTab: tab } = await import('../../attempts/AttemptsTab.tsx')
  return { default: tab }
})

const Diff = lazy(async () => {
  const { DiffTab: tab } = await import('../../diff/DiffTab.tsx')
  return { default: tab }
})

const Signature = lazy(async () => {
  const { SignatureTab: tab } = await import('./SignatureTab.tsx')
  return { default: tab }
})

const Trace = lazy(async () => {
  const { TraceTab: tab } = await import('./trace/TraceTab.tsx')
  return { default: tab }
})

export function AttemptsTab(props: ComponentProps<typeof Attempts>) {
  return (
    <Coming>
      <Attempts {...props} />
    </Coming>
  )
}

export function DiffTab(props: ComponentProps<typeof Diff>) {
  return (
    <Coming>
      <Diff {...props} />
    </Coming>
  )
}

export function SignatureTab(props: ComponentProps<typeof Signature>) {
  return (
    <Coming>
      <Signature {...props} />
    </Coming>
  )
}

export function TraceTab(props: ComponentProps<typeof Trace>) {
  return (
    <Coming>
      <Trace {...props} />
    </Coming>
  )
}

function Coming({ children }: { readonly children: ReactNode }) {
  return (
    <Suspense
      fallback={<div className="detail-coming" role="status" aria-label="Loading the tab" />}
    >
      {children}
    </Suspense>
  )
}
