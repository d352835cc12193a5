import type { ReactNode } from 'react'
import { Stack } from '../../ui/Layout.tsx'
import { MarkedText } from '../../ui/MarkedText.tsx'
import { marksOf } from '../../ui/text/search-terms.ts'
import { Card } from '../../ui/Page.tsx'
import { useLooking } from '../../state/setting-target.ts'
import { allSettings, settingsHere } from './registry.ts'
import type { SettingEntry, SettingName } from './registry.ts'

interface Props {
  readonly name: SettingName
  readonly children: ReactNode
}

/** Where one setting stands: it goes while something else is looked for, and is set off when it was gone to. */
export function Setting({ name, children }: Props) {
  const { shown, gone } = useLooking()
  return (
    // Hidden, and not left out: what was being written in it stays.
    <Stack
      gap={5}
      className="setting"

      data-setting={name}
      data-gone-to={gone === name || undefined}
      hidden={!shown.has(name)}
    >
      {children}
    </Stack>
  )
}

/** What a setting is called, and its hint, with what was looked for marked. */
export function useSettingText(name: SettingName): { label: ReactNode; hint?: ReactNode } {
  const { words } = useLooking()
  const { label, hint }: SettingEntry = settingsHere[name]
  return {
    label: <MarkedText text={label} marks={marksOf(words, label)} />,
    ...(hint !== '' && { hint: <MarkedText text={hint} marks={marksOf(words, hint)} /> }),
  }
}

interface CardProps {
  readonly title: (typeof settingsHere)[SettingName]['card']
  readonly note?: string
  readonly children: ReactNode
}

/** The settings of one card; it goes with the last of them. */
export function SettingsCard({ title, note, children }: CardProps) {
  const { words, shown } = useLooking()
  const some = allSettings.some(({ here, name, card }) => here && card === title && shown.has(name))
  return (
    <div hidden={!some}>
      <Card
        title={title}
        heading={<MarkedText text={title} marks={marksOf(words, title)} />}
        {...(note === undefined ? {} : { note })}
      >
        {children}
      </Card>
    </div>
  )
}
