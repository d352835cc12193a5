import { withoutData } from '../define.ts'

export default withoutData({
  type: 'CLOSE_TAB',
  label: 'Tab closed',
  fired: 'Fired when a tab is closed at a location. `targetUuid` = tab UUID. Data: none.',
  subject: 'Tab',
  change: 'closed',
  icon: 'door-closed',
  facts: { tab: ['targetUuid'] },
})
