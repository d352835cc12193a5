import type { ReactNode } from 'react'
import { Text } from './Layout.tsx'

interface Props {
  readonly name: string
  readonly mono?: boolean
  readonly children: ReactNode
}

/** A name and its value, in a `dl` that is a grid of two columns. */
export function Fact({ name, mono = false, children }: Props) {
  return (
    <>
      <Text as="dt" tone="mid">
        {name}
      </Text>
      <Text as="dd" shrink anywhere mono={mono} selectable={mono}>
        {children}
      </Text>
    </>
  )
}
