// @ts-check
/**
 * The reasons for a list as sentences. The service states them in one line: what was decided, how sure that is, and the
 * features that weighed most for and against it, by their names and with numbers. A feature may weigh for a list because it
 * is high or because it is low, so that its words say what was looked at.
 */
import { h } from "./dom.js";

/** What was looked at, by the name of the feature. @type {Record<string, string>} */
const LOOKED_AT = {
  "records": "how many records it has", "coverage": "how much of the page's text it holds",
  "mean text": "how long its records are", "cv text": "how much the lengths of its records differ",
  "link density": "how much of its text is links", "likeness": "how alike its records are built",
  "paths": "how many kinds of values its records have", "leaves": "how many texts a record has",
  "fonts": "how many styles of text a record has", "head diversity": "whether its records begin with different texts",
  "text diversity": "whether its texts differ from record to record", "link diversity": "whether its links lead to different pages",
  "images": "how many of its records have an image", "in navigation": "whether it is in a menu",
  "empty": "how many of its records are empty", "shared paths": "how many kinds of values all records share",
  "digits": "how much of its text is numbers", "depth": "how deep in the page it is", "position": "where on the page it begins",
  "parents": "whether its records are in one place", "contiguous": "whether its records follow each other",
  "nodes": "how many elements a record has", "with link": "how many of its records have a link",
  "proposers": "how many methods found it", "by buw": "whether the method BUW found it", "by rdr": "whether the method RDR found it",
  "by amber": "whether the method AMBER found it", "by mdr": "whether the method MDR found it",
  "by group": "whether it is a group of similar elements", "coverage rank": "whether other lists hold more text",
  "mass rank": "whether other lists have more values", "shared rank": "whether the records of other lists share more",
  "with heading": "how many of its records have a heading", "same root tag": "whether its records are the same kind of element",
  "whole children": "whether its records are all that is in their place", "one leaf": "how many of its records are a single text",
  "single link": "how many of its records are nothing but a link", "in main": "whether it is in the main part of the page",
  "with digits": "how many of its records have numbers", "with currency": "how many of its records have prices",
  "readable": "how many of its records have the length of usual records", "prose outside": "how much running text is outside it",
  "page text": "how much text the page has", "off main": "whether it is outside the main part of the page",
  "prose before": "how much running text is before it", "in aside": "whether it is in a side column",
  "pager": "whether the page has links to next pages", "says one": "whether the page says that it is about one thing",
  "says list": "whether the page says that it is a list", "query": "whether the URL is a search",
  "head far": "how far it is from the page's headline", "no head": "whether the page has a headline",
  "alternating": "whether its pieces alternate", "content coverage": "how much of the page's content it holds",
  "plain before": "how much text is before it", "labels": "how many labels its records have",
  "here links": "whether it links to the page itself", "declared": "whether the page declares it as a list",
  "finer": "whether a finer list is inside it", "finer likeness": "whether a finer list inside it is more alike",
  "coarser": "whether a coarser list is around it", "coarser likeness": "whether a coarser list around it is more alike",
  "part of records": "whether it is a part of the records of another list", "wider records": "whether another list has wider records",
  "inside record": "whether it is inside a record of another list", "same place": "how many other lists are in the same place",
  "rows": "whether its records are rows of a table", "cells": "whether its records are cells of a table",
  "one heading": "how many of its records have one heading", "many headings": "how many of its records have several headings",
  "repeated paths": "how often a record repeats the same kind of value", "one link": "how many of its records have one link",
  "links in record": "how many links a record has", "many prices": "how many of its records have several prices",
  "one date": "how many of its records have one date", "many dates": "how many of its records have several dates",
  "labels outside": "how many labels are outside it", "labels in record": "how many labels a record has",
  "date share": "how many of the page's dates it has", "price share": "how many of the page's prices it has",
  "heading share": "how many of the page's headings it has", "same class": "whether its records have the same class",
  "same structure": "whether its records have the same structure", "inputs": "how many fields to fill in the page has",
  "password": "whether the page asks for a password", "score": "how good it is as a list", "gap": "how much better it is than the next list",
};

/** Methods that propose lists. @type {Record<string, string>} */
const METHODS = {
  buw: "BUW", rdr: "RDR", amber: "AMBER", mdr: "MDR", groups: "groups of similar elements", declared: "the data of the page",
};

/** @param {string} text */
const sentence = text => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The features of `coverage +1.03, with digits +0.36`, in words. @param {string} list */
const features = list => list.split(", ").map(one => {
  const name = one.replace(/ [+-][\d.]+$/, "");
  return LOOKED_AT[name] ?? name;
}).join("; ");

/** @param {string} part one part of the line, without the features */
function stated(part) {
  const [, share] = /^(?:the main list|a list of records) with probability ([\d.]+)$/.exec(part) ?? [];
  if (share) {
    const what = part.startsWith("the main list") ? "the main list of the page" : "a list of records";
    return `It is ${what} with a probability of ${Math.round(Number(share) * 100)}%.`;
  }
  const [, names] = /^proposed by (.*)$/.exec(part) ?? [];
  if (names) return `Found by ${names.split(" and ").map(name => METHODS[name] ?? name).join(", ")}.`;
  const [, records, layout] = /^(\d+ records) as (\w+)$/.exec(part) ?? [];
  return records ? `${records}, laid out as a ${layout}.` : sentence(part);
}

/**
 * The reasons for a list as sentences.
 * @param {string} text as the service states them
 * @returns {string[]}
 */
export function sentences(text) {
  const [about, ...evidence] = text.replace(/^[a-z]+: /, "").split(/, (?=(?:for|against): )/);
  const parts = about.split(/, (?=\d|score |proposed by |the main list with|a list of records with|record boundaries |added |dropped |joined )/);
  return [
    ...parts.filter(part => !part.startsWith("score ")).map(stated),
    ...evidence.map(line => line.startsWith("for: ") ? `What speaks most for it: ${features(line.slice(5))}.`
      : `What speaks most against it: ${features(line.slice(9))}.`),
  ];
}

/**
 * Why a list was chosen, and why its columns are called as they are.
 * @param {string} text the reasons for the list
 * @param {string[]} columns the reasons for its columns: `column price: the lower one of two prices`
 */
export function reasonList(text, columns) {
  const named = columns.map(line => /^column (.*?): (.*)$/.exec(line)).filter(match => match !== null);
  return [
    h("ul", null, sentences(text).map(line => h("li", null, line))),
    named.length ? h("details", null, h("summary", null, "Why are its columns called so?"),
      h("dl", null, named.map(([, name, why]) => [h("dt", null, name), h("dd", null, sentence(why))]))) : null,
  ];
}
