import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const name = 'prehend-theme'

/** Light, dark, or as the system has it. */
export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState<Theme>(
    () => themes.find((each) => each === localStorage.getItem(name)) ?? 'system',
  )
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    localStorage.setItem(name, theme)
  }, [theme])
  return (
    <label>
      <span class="hidden-label">Colours</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        <option value="system">System colours</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}
