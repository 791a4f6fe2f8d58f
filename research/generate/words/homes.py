"""Words of property pages: streets, kinds of property, states, agents. Plain lists, from general knowledge."""

STREETS = '''High Street; Station Road; Church Lane; Mill Lane; Victoria Road; Albert Street; Chapel Hill; Orchard Close;
The Green; Manor Drive; Queens Avenue; King Edward Road; Elm Grove; Beech Avenue; Oak Tree Close; Long Meadow;
Brook Street; Ferry Lane; Abbey Gardens; Priory Road; Castle Street; Bridge Road; Park View; Park Crescent;
Windmill Hill; Primrose Walk; Meadow Rise; Cobblers Yard; St Mary's Road; St John's Terrace; Tanners Court;
Weavers Row; Lavender Mews; The Old Maltings; Quarry Bank; Hollybush Lane; Sandy Lane; Coopers Way; Foundry Place;
Harbour Parade; Marine Drive; Cliff Road; Nightingale Close; Kestrel Drive; Larkfield; Swallow Court; Poplar Road;
Hawthorn Way; Blackthorn Drive; Rectory Close; Vicarage Lane; Market Place; Butchers Row; Silver Street;
Gold Hill; Northgate; Southfield Road; Eastbourne Terrace; Westbury Avenue; London Road; Oxford Road; Bath Road;
Wharf Lane; Canal Side; Lock Keepers Row; Signal Box Lane; Cricketers Close; Pavilion Gardens; Tithe Barn Road'''

HOUSE_NAMES = '''Rose Cottage; The Old Forge; Ivy House; The Coach House; Stonelea; Fairview; Hillcrest; The Granary;
Willow Barn; Brambles; Tall Chimneys; The Old Post Office'''

# kind | weight | lowest, highest number of bedrooms | base price in thousands
TYPES = '''detached house|16|3|6|420
semi-detached house|18|2|5|310
terraced house|16|2|4|260
end of terrace house|6|2|4|270
mid-terrace house|4|2|3|245
town house|4|3|5|330
flat|18|1|3|190
apartment|12|1|3|215
ground floor flat|3|1|2|185
penthouse|1|2|4|560
maisonette|4|1|3|195
studio flat|2|1|1|140
detached bungalow|6|2|4|360
bungalow|5|2|3|300
cottage|5|2|4|325
barn conversion|2|3|6|610
farmhouse|1|4|7|780'''

STATUS_SALE = 'For sale; Under offer; Sold STC; Sold subject to contract'
STATUS_RENT = 'To let; Let agreed; Under offer'
BADGES = 'New instruction; Reduced; New; Price change; No chain; Just added; Premium listing'
FURNISHING = 'Furnished; Unfurnished; Part furnished'
QUALIFIERS = 'Guide price; Offers over; Offers in excess of; OIEO; Asking price; Fixed price; Offers in the region of'
TENURES = 'Freehold; Leasehold; Share of freehold'

AGENTS = '''Hollis & Wren; Pembury Lane Estates; Ashdown Keys; Carter Lisle; Foxglove Homes; Marlow & Daughters;
Northbridge Property; Tilling & Shaw; Quayside Lettings; Brightwell Moves; Oakham Reeve; Harcourt Vane'''

FEATURES = '''Gas central heating; Double glazing; Off-street parking; South-facing garden; Garage; Conservatory;
En suite; Open fireplace; Utility room; No onward chain; Allocated parking; Close to schools; Sea views; Cellar;
Loft conversion; Wood burning stove; Communal gardens; Lift; Balcony; Recently refurbished'''
