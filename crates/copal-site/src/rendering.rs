//! Pages in a browser: which are shown there, and how a list goes on there.
//!
//! The browser blocks, so every call is made where blocking is allowed.

use std::sync::Arc;

use copal_dom::{Limits, Page};
use copal_extract::multipage::MultiPageList;
use copal_extract::{Region, paging};
use copal_fetch::{Fetcher, GivenDocument, ObservedResponse};
use copal_render::{ElementHandle, PageElements, Renderer, ScrollStep, Tab};

use crate::consent_layer::dismissing_button;
use crate::error::SiteError;
use crate::render_mode::{PagePicture, RenderMode, SavedPage};
use crate::stopper::Stopper;

/// Steps of scrolling by one window that may bring nothing new, while a list is not complete.
const MAX_EMPTY_WINDOWS: usize = 3;

/// Consent layers that are closed, one after another.
const MAX_LAYERS: usize = 2;

/// A browser for pages that need one.
#[derive(Debug, Clone)]
pub struct Rendering {
    renderer: Renderer,
    mode: RenderMode,
    picture: Option<PagePicture>,
    replay: bool,
}

impl Rendering {
    /// Shows pages with this browser.
    pub fn new(renderer: Renderer, mode: RenderMode) -> Rendering {
        Rendering { renderer, mode, picture: None, replay: true }
    }

    /// Also takes a picture of the first page that is shown. The browser should load images then.
    #[must_use]
    pub fn with_picture(self, picture: PagePicture) -> Rendering {
        Rendering { picture: Some(picture), ..self }
    }

    /// Reads all pages of a list in the browser, also where the data that the page's script loads would do.
    #[must_use]
    pub fn without_replay(self) -> Rendering {
        Rendering { replay: false, ..self }
    }

    pub(crate) fn mode(&self) -> RenderMode {
        self.mode
    }

    /// Shows a page, or a saved document as the page at its URL.
    pub(crate) fn open(
        &self,
        url: &str,
        saved: Option<&SavedPage>,
        fetcher: &Fetcher,
        stopper: &Stopper,
        limits: &Limits,
    ) -> Result<(Box<Page>, OpenTab), SiteError> {
        let stopper = stopper.clone();
        let stop: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(move || stopper.is_stopped());
        let given = saved.map(|saved| GivenDocument {
            url: url.to_owned(),
            content_type: saved.content_type.clone(),
            body: saved.body.clone(),
        });
        tokio::task::block_in_place(|| {
            let mut tab = self.renderer.open(url, given.as_ref(), fetcher, &stop)?;
            let (mut page, mut elements) = tab.page(limits)?;
            for _ in 0..MAX_LAYERS {
                let button = dismissing_button(&page).and_then(|node| elements.get(node));
                let Some(button) = button else { break };
                if !tab.press(button)? {
                    break;
                }
                (page, elements) = tab.page(limits)?;
            }
            if let Some(picture) = &self.picture {
                picture.set_once(|| tab.screenshot())?;
            }
            let tab = OpenTab {
                tab,
                elements,
                limits: limits.clone(),
                scroll: ScrollStep::End,
                buttons: Vec::new(),
                anchor: None,
                may_replay: self.replay,
                known_pages: 0,
            };
            Ok((Box::new(page), tab))
        })
    }
}

/// A page that is open in the browser, and how its list may go on.
#[derive(Debug)]
pub(crate) struct OpenTab {
    pub(crate) tab: Tab,
    pub(crate) elements: PageElements,
    limits: Limits,
    /// How the page is scrolled next.
    scroll: ScrollStep,
    /// Buttons that may continue the list, best first.
    buttons: Vec<ElementHandle>,
    /// The first record. If it is gone after scrolling, the page replaces records instead of adding them.
    anchor: Option<ElementHandle>,
    may_replay: bool,
    /// Steps that may bring nothing new, because their records were read without the browser.
    known_pages: usize,
}

impl OpenTab {
    /// Remembers how the list may go on.
    pub(crate) fn note_list(&mut self, page: &Page, list: Option<&Region>) {
        let buttons = paging::next_buttons(page, list).into_iter();
        self.buttons = buttons.filter_map(|node| self.elements.get(node)).collect();
        let first = list.and_then(|list| list.records.first()?.place.parts.first().cloned());
        self.anchor = first.and_then(|part| self.elements.get(part.start));
    }

    /// True if following pages may be read without the browser.
    pub(crate) fn may_replay(&self) -> bool {
        self.may_replay
    }

    /// The JSON that the page's script has loaded since the last call.
    pub(crate) fn take_observed(&self) -> Vec<ObservedResponse> {
        self.tab.take_observed()
    }

    /// Says how many pages after this one were read without the browser: their records are not new.
    pub(crate) fn note_known_pages(&mut self, pages: usize) {
        self.known_pages += pages;
    }

    /// Makes the list go on: presses a button, or scrolls. Returns the page if it has new records, which are
    /// then part of the series, or if nothing new was to be expected there.
    pub(crate) fn advance(&mut self, series: &mut MultiPageList) -> Result<Option<Page>, SiteError> {
        for button in std::mem::take(&mut self.buttons) {
            if self.tab.press(button)?
                && let Some(page) = self.read_new_records(series)?
            {
                return Ok(Some(page));
            }
        }
        if self.scroll == ScrollStep::End {
            let moved = self.tab.scroll(ScrollStep::End)?;
            let page = self.read()?;
            let is_replaced = self.anchor.is_some_and(|anchor| !self.elements.contains(anchor));
            if !is_replaced {
                return if moved { Ok(self.add(page, series)) } else { Ok(None) };
            }
            // the records between the first and the last ones were never shown
            self.scroll = ScrollStep::Window;
            self.tab.scroll(ScrollStep::Top)?;
        }
        for _ in 0..MAX_EMPTY_WINDOWS {
            if !self.tab.scroll(ScrollStep::Window)? {
                break;
            }
            if let Some(page) = self.read_new_records(series)? {
                return Ok(Some(page));
            }
        }
        Ok(None)
    }

    /// The page as it is now.
    pub(crate) fn read(&mut self) -> Result<Page, SiteError> {
        let (page, elements) = self.tab.page(&self.limits)?;
        self.elements = elements;
        Ok(page)
    }

    fn read_new_records(&mut self, series: &mut MultiPageList) -> Result<Option<Page>, SiteError> {
        let page = self.read()?;
        Ok(self.add(page, series))
    }

    fn add(&mut self, page: Page, series: &mut MultiPageList) -> Option<Page> {
        let added = series.add(&page)?;
        if added.new == 0 {
            self.known_pages = self.known_pages.checked_sub(1)?;
        }
        self.note_list(&page, series.last());
        Some(page)
    }
}
