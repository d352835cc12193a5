import { Text } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Note.tsx'
import { useQuery } from '../../platform/use-client.ts'
import { Setting, SettingsCard, useSettingText } from './Setting.tsx'
import type { SettingName } from './registry.ts'
import { CopyVersions, CopyablePath, ShowLicences, ShowLog, Versions } from '../about/index.ts'

/** Versions, paths and licenses. */
export function AboutCard() {
  const { state } = useQuery('app.about', {})
  if (state.phase === 'loading') return null
  return (
    <SettingsCard title="About">
      {state.phase === 'failed' ? (
        <Note tone="invalid" alert>
          {state.message}
        </Note>
      ) : (
        <>
          <Setting name="version">
            <SettingLabel name="version" />
            <Versions about={state.value} />
            <CopyVersions about={state.value} />
          </Setting>
          <Setting name="data-folder">
            <SettingLabel name="data-folder" />
            <CopyablePath path={state.value.dataDir} label="Copy data folder path" />
          </Setting>
          <Setting name="log-file">
            <SettingLabel name="log-file" />
            <CopyablePath path={state.value.logFile} label="Copy log path">
              <ShowLog />
            </CopyablePath>
          </Setting>
          <Setting name="licences">
            <SettingLabel name="licences" />
            <ShowLicences />
          </Setting>
        </>
      )}
    </SettingsCard>
  )
}

function SettingLabel({ name }: { readonly name: SettingName }) {
  const { label, hint } = useSettingText(name)
  return (
    <div>
      <Text as="p" weight="semibold">
        {label}
      </Text>
      <p className="field-hint">{hint}</p>
    </div>
  )
}
