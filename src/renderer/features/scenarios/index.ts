export { ScenariosView } from './ScenariosView.tsx'
