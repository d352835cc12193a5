import { Button } from '../../components/Button.tsx'
import { useClient } from '../../platform/use-client.ts'
import { askForWay } from '../guide/commands.ts'
import { Setting, SettingsCard, useSettingWords } from './Setting.tsx'

/** The guide once more, for who has skipped it or been through it. */
export function GuideCard() {
  const client = useClient()
  const { hint } = useSettingWords('guide')
  return (
    <SettingsCard title="Guided start">
      <Setting name="guide">
        <div className="setting-field">
          <div>
            <Button onClick={() => askForWay(client)}>Open the guided start</Button>
          </div>
          <p className="field-hint">{hint}</p>
        </div>
      </Setting>
    </SettingsCard>
  )
}
