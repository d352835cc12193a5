export { OnScriptFailure, ScriptField } from './ScriptField.tsx'
