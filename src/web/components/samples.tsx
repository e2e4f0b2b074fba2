import { CopyButton } from './copy-button.tsx'

interface SamplesProps {
  /** `file` is also the id of the element with the code. */
  programs: readonly { language: string; file: string; code: string }[]
  isFirstOpen?: boolean
}

/** Programs in several languages, of which one can be open, each with a button that copies it. */
export const Samples = ({ programs, isFirstOpen = false }: SamplesProps) => (
  <div class="samples">
    {programs.map(({ language, file, code }, index) => (
      <details class="sample" name="programs" open={isFirstOpen && index === 0}>
        <summary>{language}</summary>
        <div class="copying">
          <CopyButton targetId={file}>Copy</CopyButton>
        </div>
        <pre id={file} tabIndex={0} role="region" aria-label={`Program: ${language}`}>
          {code}
        </pre>
      </details>
    ))}
  </div>
)
