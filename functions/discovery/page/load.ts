// Loads the script that the page names once all that the page shows has loaded: on a slow line it takes no bandwidth from the
// style sheet, without which nothing is shown.
const load = (): void => void import(String(document.body.dataset['script']));

if (document.readyState === 'complete') load();
else addEventListener('load', load, { once: true });
