import { CopyButton } from './copy-button.tsx'

export interface CodeSample {
  /** Id of the element with the code. */
  id: string
  /** The language of a program, or the program to which the lines belong. */
  title: string
  /** What to do with the code. */
  about?: string
  code: string
}

interface SamplesProps {
  samples: readonly CodeSample[]
  isFirstOpen?: boolean
}

/** Samples of code, of which one can be open, each with a button that copies it. */
export const Samples = ({ samples, isFirstOpen = false }: SamplesProps) => (
  <div class="samples">
    {samples.map(({ id, title, about, code }, index) => (
      <details class="sample" name="samples" open={isFirstOpen && index === 0}>
        <summary>{title}</summary>
        {about !== undefined && <p>{about}</p>}
        <div class="copying">
          <CopyButton targetId={id}>Copy</CopyButton>
        </div>
        <pre id={id} tabIndex={0} role="region" aria-label={`Sample: ${title}`}>
          {code}
        </pre>
      </details>
    ))}
  </div>
)
