export { leftOutText } from './labels.ts'
export { ScenariosView } from './ScenariosView.tsx'
