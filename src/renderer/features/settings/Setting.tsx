import type { ReactNode } from 'react'
import { Stack } from '../../ui/Layout.tsx'
import { MarkedText } from '../../ui/MarkedText.tsx'
import { marksOf } from '../../ui/text/search-terms.ts'
import { Card } from '../../ui/Page.tsx'
import { useSettingsSearch } from '../../state/setting-target.ts'
import { allSettings, settingsHere } from './registry.ts'
import type { SettingEntry, SettingName } from './registry.ts'

interface Props {
  readonly name: SettingName
  readonly children: ReactNode
}

/** One setting on the page. It is hidden if the search does not match, and highlighted if a link led to it. */
export function Setting({ name, children }: Props) {
  const { shown, highlighted } = useSettingsSearch()
  return (
    // Hidden and not removed, so that drafts are kept.
    <Stack
      gap={5}
      className="setting"

      data-setting={name}
      data-highlighted={highlighted === name || undefined}
      hidden={!shown.has(name)}
    >
      {children}
    </Stack>
  )
}

/** The label and hint of a setting, with the search terms highlighted. */
export function useSettingText(name: SettingName): { label: ReactNode; hint?: ReactNode } {
  const { words } = useSettingsSearch()
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

/** A card of settings. It is hidden if none of its settings match the search. */
export function SettingsCard({ title, note, children }: CardProps) {
  const { words, shown } = useSettingsSearch()
  const anyShown = allSettings.some(
    ({ here, name, card }) => here && card === title && shown.has(name),
  )
  return (
    <div hidden={!anyShown}>
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
