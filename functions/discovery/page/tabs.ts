// Runs a list of tabs as the ARIA Authoring Practices describe it: arrow keys, Home and End move, and only the selected
// tab is a tab stop.
import { find } from '../../page/dom.ts';

const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')];

const panelOf = (tab: HTMLElement): HTMLElement => find(`#${tab.getAttribute('aria-controls')}`, HTMLElement);

/** @returns the id of the tab without its prefix */
const nameOf = (tab: HTMLElement): string => tab.id.replace('tab-', '');

const isSelected = (tab: HTMLElement): boolean => tab.ariaSelected === 'true';

export const selectedTab = (): string => tabs.filter(isSelected).map(nameOf).join('');

/** @param onSelect gets the name of the tab that the reader selects */
export const startTabs = (onSelect: (name: string) => void): void => {
  const select = (selected: HTMLElement): void => {
    for (const tab of tabs) {
      tab.ariaSelected = String(tab === selected);
      tab.tabIndex = tab === selected ? 0 : -1;
      panelOf(tab).hidden = tab !== selected;
    }
    onSelect(nameOf(selected));
  };
  for (const [index, tab] of tabs.entries()) {
    const targets = new Map([
      ['ArrowLeft', tabs.at(index - 1)],
      ['ArrowRight', tabs[(index + 1) % tabs.length]],
      ['Home', tabs[0]],
      ['End', tabs.at(-1)],
    ]);
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', (event) => {
      const target = targets.get(event.key);
      if (target === undefined) return;
      event.preventDefault();
      target.focus();
      select(target);
    });
  }
};
